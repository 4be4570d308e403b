import { JSON_TYPE } from "../chain/media-types.ts";
import type { FIGURES } from "../figures.ts";
import type { FigureForm } from "../supply/figure-format.ts";

/** Name of a figure that has a bare number. */
export type RegisteredFigure = Extract<(typeof FIGURES)[number], { readonly badge: string }>["name"];

/** Path as callers send it, in the form that the file allows. Only the file's parser makes one. */
export type RegisteredPath = string & { readonly brand: "RegisteredPath" };

/** Entry of `addresses.json`: the address that a tracker requests, and the body that answers it. */
export interface RegisteredAddress {
  readonly path: RegisteredPath;
  /**
   * Query parameter, decoded, that selects this entry among those of its path; null: the entry answers requests without
   * that query parameter.
   */
  readonly query: { readonly name: string; readonly value: string } | null;
  readonly body: AddressBody;
}

export type AddressBody =
  | { readonly kind: "figure"; readonly figure: RegisteredFigure; readonly form: AddressForm }
  | { readonly kind: "object"; readonly members: readonly AddressMember[] };

/** Member of an object, as the operator writes it. */
export type AddressMember =
  | { readonly name: string; readonly text: string }
  | {
      readonly name: string;
      readonly figure: RegisteredFigure;
      readonly as: MemberType;
      readonly units: AddressUnits;
    };

/** Validated file of registered addresses. */
export interface AddressFile {
  readonly entries: readonly RegisteredAddress[];
  /** SHA-256 of the file's bytes, as hex digits. */
  readonly sha256: string;
}

/** Units that an entry may name, each with the form in which figures are written. */
export const UNITS = {
  tokens: "plain",
  exact: "plain-exact",
  base_units: "base_units",
} as const satisfies Readonly<Record<string, FigureForm>>;
export type AddressUnits = keyof typeof UNITS;

/** Way in which digits become a JSON value. */
interface Notation {
  /** Whether the value is a JSON number, of which readers keep only so many digits. */
  readonly isNumber: boolean;
  readonly write: (digits: string) => string;
}

const NUMBER: Notation = { isNumber: true, write: (digits) => digits };
const TEXT: Notation = { isNumber: false, write: (digits) => digits };
const RESULT: Notation = { isNumber: false, write: (digits) => `{"result":"${digits}"}` };
const PLAIN_TYPE = "text/plain; charset=utf-8";

/** Forms of a body that is one figure. Base units have more digits than JSON readers keep, so they are text. */
export const FORMS = {
  number: { ...NUMBER, units: "tokens", type: JSON_TYPE },
  plain: { ...TEXT, units: "tokens", type: PLAIN_TYPE },
  result: { ...RESULT, units: "tokens", type: JSON_TYPE },
  exact: { ...NUMBER, units: "exact", type: JSON_TYPE },
  base_units: { ...TEXT, units: "base_units", type: PLAIN_TYPE },
} as const satisfies Readonly<Record<string, Notation & { readonly units: AddressUnits; readonly type: string }>>;
export type AddressForm = keyof typeof FORMS;

/** Types of a member that is a figure. */
export const MEMBER_TYPES = {
  number: NUMBER,
  string: { isNumber: false, write: (digits) => `"${digits}"` },
} as const satisfies Readonly<Record<string, Notation>>;
export type MemberType = keyof typeof MEMBER_TYPES;

/** Lists the figures in a body, each with its unit and whether it is a JSON number. */
export function figuresOf(body: AddressBody) {
  if (body.kind === "figure") {
    const { units, isNumber } = FORMS[body.form];
    return [{ figure: body.figure, units, isNumber }];
  }
  return body.members.flatMap((member) =>
    "text" in member
      ? []
      : [{ figure: member.figure, units: member.units, isNumber: MEMBER_TYPES[member.as].isNumber }],
  );
}
