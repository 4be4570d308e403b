// Redirects a tool's calls of these https hosts to servers of the test, by MAPPED_HOSTS. It is loaded into the tool.
const hosts = JSON.parse(process.env["MAPPED_HOSTS"] ?? "{}");
const real = globalThis.fetch;
globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const to = hosts[url.host];
  return to === undefined ? real(input, init) : real(`${to}${url.pathname}${url.search}`, init);
};
