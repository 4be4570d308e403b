"""Leaves out header values that are no HTTP (RFC 9110, section 5.5): a runtime refuses them before the product sees one."""

import schemathesis


@schemathesis.hook
def filter_headers(context, headers):
    return all(32 <= ord(each) < 127 for value in (headers or {}).values() for each in str(value))
