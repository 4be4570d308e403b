SELECT
  blob2 AS route,
  blob7 AS data_centre,
  sum(double4 * _sample_interval) AS requests,
  sum(if(double2 = 429, double4, 0) * _sample_interval) / sum(double4 * _sample_interval) AS share_of_429
FROM DATASET
WHERE blob1 = 'request' AND timestamp > NOW() - INTERVAL '1' HOUR
GROUP BY route, data_centre
ORDER BY requests DESC, route, data_centre
LIMIT 50
