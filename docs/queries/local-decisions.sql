SELECT
  blob6 AS region,
  sum(double4 * _sample_interval) AS decisions,
  sum(if(blob8 = 'local', double4, 0) * _sample_interval) / sum(double4 * _sample_interval) AS share_of_local
FROM DATASET
WHERE blob1 = 'request' AND blob8 != '' AND timestamp > NOW() - INTERVAL '1' HOUR
GROUP BY region
ORDER BY share_of_local DESC, region
