#!lua flags=allow-oom
-- Marks the user as changing, before a transaction that changes them is committed: no
-- version is leased from now on.
--
-- KEYS  1 lease of the user
-- ARGV  1 writer (UUID of the transaction), 2 lifetime (ms)
-- Reply OK
--
-- A script, although it is one command: `allow-oom` lets it run while the memory of Redis
-- is full, which a plain SET may not.
return redis.call('SET', KEYS[1], '!' .. ARGV[1], 'PX', ARGV[2])
