#!lua flags=allow-oom
-- Marks the user as changed, after the commit: requests that ask the database from now on
-- may lease the version that they read.
--
-- KEYS  1 lease of the user
-- ARGV  1 writer (UUID of the transaction), 2 lifetime (ms)
-- Reply 1 when the user is marked, 0 while another writer is changing them
--
-- Atomic: it reads the lease before it replaces it, so that the mark of another writer,
-- who may not have committed yet, is kept.
local lease = redis.call('GET', KEYS[1]) or ''
if string.sub(lease, 1, 1) == '!' and lease ~= '!' .. ARGV[1] then return 0 end
redis.call('SET', KEYS[1], '?' .. ARGV[1], 'PX', ARGV[2])
return 1
