import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { BENCH, WRK } from "./machine.mjs";

const run = promisify(execFile);

/**
 * Loads a URL from one thread and 32 connections. Callers are `callers` IPv4 addresses in one field; `order` is
 * "random", or "once": each in turn, for a run that must include every caller. With `requests` (`{ method?, path,
 * media?, body? }`) the callers share that list of requests in turn, and only the host of `url` is used.
 */
export async function load(url, { seconds, callers, order = "random", field = "CF-Connecting-IP", requests = [] }) {
  const script = join(BENCH, "lib", "callers.lua");
  const flags = ["-t1", "-c32", `-d${seconds}s`, "--latency", "--timeout", "10s", "-s", script, url, "--"];
  const folder = mkdtempSync(join(tmpdir(), "edge-api-requests-"));
  const list = join(folder, "requests");
  const lines = requests.map(({ method = "GET", path, media = "", body = "" }) =>
    [method, path, media, body].join("\t"),
  );
  writeFileSync(list, lines.map((line) => `${line}\n`).join(""));
  const { stdout } = await run(WRK, [...flags, String(Math.max(callers, requests.length)), order, field, list]);
  rmSync(folder, { recursive: true });
  const figures = JSON.parse(stdout.slice(stdout.lastIndexOf("{")));
  return { ...figures, perSecond: figures.requests / figures.seconds };
}

/** One response's status, header fields and body, to check a subject before measuring it. */
export async function look(url, caller) {
  const response = await fetch(url, { headers: { "CF-Connecting-IP": caller } });
  return { status: response.status, fields: Object.fromEntries(response.headers), body: await response.text() };
}

/** Header fields that the runtime adds, or whose values differ between callers in length only. */
const NOT_COPIED = ["content-length", "date", "transfer-encoding", "connection"];

/** The header fields that a Worker without logic sends, so that responses have the same size. */
export function copiedFields(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !NOT_COPIED.includes(name)));
}
