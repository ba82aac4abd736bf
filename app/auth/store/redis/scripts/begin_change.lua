#!lua flags=allow-oom
-- Marks the user as changing, before a transaction that changes them is committed: no
-- version is leased from now on.
--
-- KEYS  1 lease of the user
-- ARGV  1 writer (UUID of the transaction), 2 lifetime (ms)
-- Reply OK
--
-- Atomic: it adds the writer to those who are changing the user already.
-- include: open_writers
local now = nowMs()
local writers = openWriters(redis.call('GET', KEYS[1]) or '', now)
writers[ARGV[1]] = now + ARGV[2]
return markChanging(KEYS[1], writers, now)
