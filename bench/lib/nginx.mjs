import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { NGINX } from "./machine.mjs";

/** nginx as a caching, limiting proxy before `upstream`: committed data for a day, everything else for a second. */
export async function nginx(upstream, port) {
  const folder = mkdtempSync(join(tmpdir(), "edge-api-nginx-"));
  const config = join(folder, "nginx.conf");
  writeFileSync(config, configOf(folder, new URL(upstream).host, port));
  const child = spawn(NGINX, ["-p", folder, "-c", config, "-e", join(folder, "error.log")], { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; ; attempt++) {
    if (child.exitCode !== null || attempt === 500) throw new Error("nginx does not start");
    const answered = await fetch(url).then(
      (answer) => answer.arrayBuffer(),
      () => null,
    );
    if (answered !== null) break;
    await pause(10);
  }
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await exited;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, stop };
}

function configOf(folder, upstream, port) {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `${process.getuid() === 0 ? "user root;\n" : ""}daemon off;
worker_processes 1;
pid ${folder}/pid;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 1000000;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n  ")}
  proxy_cache_path ${folder}/cache levels=1:2 keys_zone=node:32m max_size=256m;
  limit_req_zone $http_cf_connecting_ip zone=callers:32m rate=10000r/m;
  upstream node { server ${upstream}; keepalive 32; }
  server {
    listen 127.0.0.1:${port};
    limit_req zone=callers burst=10000 nodelay;
    limit_req_status 429;
    proxy_cache node;
    proxy_cache_lock on;
    proxy_cache_use_stale error timeout updating;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    location / { proxy_pass http://node; proxy_cache_valid 200 1s; }
    location /v1/transactions/by_version/ { proxy_pass http://node; proxy_cache_valid 200 1d; }
  }
}
`;
}
