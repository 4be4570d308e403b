SELECT sum(double4 * _sample_interval) AS requests
FROM DATASET
WHERE blob1 = 'request' AND timestamp > NOW() - INTERVAL '1' DAY
