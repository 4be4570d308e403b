import fc from "fast-check";

/** Characters of a path segment (RFC 3986 section 3.3), and octets of one, two and four bytes that are encoded. */
const UNITS = [..."azAZ09-._~!$&'()*+,;=:@", "%00", "%20", "%2F", "%3f", "%C3%A9", "%F0%9F%98%80"];

/**
 * Generates a path segment. The library's own generator first maps every character of Unicode, which takes longer than
 * a test.
 */
export const segment = fc.string({ unit: fc.constantFrom(...UNITS), maxLength: 12 });
