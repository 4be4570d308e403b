import {
  type AddressFile,
  figuresOf,
  type RegisteredAddress,
  type RegisteredFigure,
} from "../../src/addresses/registered-address.ts";
import { FIGURES } from "../../src/figures.ts";

/** Paths of the figures with which the registered addresses answer. */
export function figurePaths(file: AddressFile | null): readonly string[] {
  const names = new Set((file?.entries ?? []).flatMap(({ body }) => figuresOf(body).map(({ figure }) => figure)));
  return [...names].map(pathOfFigure);
}

/** Path of a figure in its exact form. */
export function pathOfFigure(name: RegisteredFigure): string {
  return `${FIGURES.find((row) => row.name === name)?.path}?format=plain&decimals=exact`;
}

/** Path and query of an address, as a tracker sends them. */
export function targetOf({ path, query }: RegisteredAddress): string {
  return query === null ? path : `${path}?${new URLSearchParams([[query.name, query.value]])}`;
}
