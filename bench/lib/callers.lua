-- Requests of many callers, written once so that the load tool itself costs little.
local requests, count, turn, inOrder = {}, 0, 0, false

function init(args)
  count, inOrder = tonumber(args[1]), args[2] == "once"
  for i = 1, count do
    local ip = string.format("10.%d.%d.%d", math.floor(i / 65536), math.floor(i / 256) % 256, i % 256)
    requests[i] = wrk.format("GET", nil, { [args[3]] = ip })
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
