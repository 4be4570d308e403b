SELECT
  blob3 AS upstream,
  blob4 AS result,
  sum(double4 * _sample_interval) AS calls,
  quantileExactWeighted(0.99)(double1, toUInt32(double4 * _sample_interval)) AS p99_milliseconds
FROM DATASET
WHERE blob1 = 'upstream' AND timestamp > NOW() - INTERVAL '1' HOUR
GROUP BY upstream, result
ORDER BY upstream, calls DESC
