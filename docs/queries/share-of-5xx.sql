SELECT
  blob2 AS route,
  sum(double4 * _sample_interval) AS requests,
  sum(if(double2 >= 500, double4, 0) * _sample_interval) / sum(double4 * _sample_interval) AS share_of_5xx
FROM DATASET
WHERE blob1 = 'request' AND timestamp > NOW() - INTERVAL '1' HOUR
GROUP BY route
ORDER BY share_of_5xx DESC, route
