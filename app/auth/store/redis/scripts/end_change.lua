#!lua flags=allow-oom
-- Marks the user as changed, after the commit: requests that ask the database from now on
-- may lease the version that they read.
--
-- KEYS  1 lease of the user
-- ARGV  1 writer (UUID of the transaction), 2 lifetime (ms)
-- Reply 1 when the user is marked, 0 while another writer is changing them
--
-- Atomic: it removes the mark of this writer and keeps those of all others, who may not
-- have committed yet. The last one to end leaves the user changed.
-- include: open_writers
local now = nowMs()
local writers = openWriters(redis.call('GET', KEYS[1]) or '', now)
writers[ARGV[1]] = nil
if next(writers) then
  markChanging(KEYS[1], writers, now)
  return 0
end
redis.call('SET', KEYS[1], '?' .. ARGV[1], 'PX', ARGV[2])
return 1
