import { settingsOfNode } from "../families/token-chain.ts";

const settingOf = (label: string): string => settingsOfNode(label)[0];

/** States what the operator can do about absent nodes; otherwise a figure could stay without a value for good. */
export function remedyOf(absent: readonly string[], configured: readonly string[]): string {
  const names = absent.join(" and ");
  const setting = settingOf(absent[0] ?? "");
  if (absent.length === configured.length) return `bring ${names} back, or name another node in ${setting}`;
  return `bring ${names} back, or take ${absent.length === 1 ? "it" : "them"} out of ${setting}`;
}

/** States that two nodes contradict one another, with the remedy. */
export function contradictionReason({
  nodes,
  member,
}: {
  readonly nodes: readonly string[];
  readonly member: string;
}): string {
  const remedy = `add another node, or take the wrong one out of ${settingOf(nodes[0] ?? "")}`;
  return `the chain nodes disagree: ${nodes.join(" and ")} about ${member}; ${remedy}`;
}
