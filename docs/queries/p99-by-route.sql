SELECT
  blob2 AS route,
  quantileExactWeighted(0.5)(double1, toUInt32(double4 * _sample_interval)) AS p50_milliseconds,
  quantileExactWeighted(0.99)(double1, toUInt32(double4 * _sample_interval)) AS p99_milliseconds,
  quantileExactWeighted(0.99)(double3, toUInt32(double4 * _sample_interval)) AS p99_limiter_milliseconds
FROM DATASET
WHERE blob1 = 'request' AND timestamp > NOW() - INTERVAL '1' HOUR
GROUP BY route
ORDER BY p99_milliseconds DESC, route
