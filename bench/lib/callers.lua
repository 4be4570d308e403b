-- Requests of many callers, serialized once so that the load tool itself costs little.
local requests, count, turn, inOrder = {}, 0, 0, false

-- One request a line: method, path, and for a POST the media type and the body, separated by tabs.
local function readRequests(file)
  local list = {}
  if not file then return list end
  for line in io.lines(file) do
    local method, path, media, body = line:match("^(%u+)\t([^\t]+)\t?([^\t]*)\t?(.*)$")
    list[#list + 1] = { method = method, path = path, media = media ~= "" and media or nil, body = body ~= "" and body or nil }
  end
  return list
end

function init(args)
  count, inOrder = tonumber(args[1]), args[2] == "once"
  local list = readRequests(args[4])
  for i = 1, count do
    local ip = string.format("10.%d.%d.%d", math.floor(i / 65536), math.floor(i / 256) % 256, i % 256)
    local template = #list > 0 and list[(i - 1) % #list + 1] or { method = "GET" }
    requests[i] = wrk.format(template.method, template.path, { [args[3]] = ip, ["Content-Type"] = template.media }, template.body)
  end
  math.randomseed(os.time())
end

function request()
  if not inOrder then return requests[math.random(count)] end
  turn = turn % count + 1
  return requests[turn]
end

function done(summary, latency)
  io.write(string.format(
    '{"requests":%d,"seconds":%f,"refused":%d,"failed":%d,"medianMs":%f,"p99Ms":%f}\n',
    summary.requests, summary.duration / 1e6, summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
