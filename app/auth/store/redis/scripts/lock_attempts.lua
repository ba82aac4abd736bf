#!lua flags=allow-oom
-- Locks a count of attempts: no login attempt is reserved until the lock ends.
--
-- KEYS  1 attempts of an e-mail, a known device or a user's codes
-- ARGV  1 end of the lock (ms), 2 now (ms), 3 id by which `undo_lock.lua` knows it, or empty
-- Reply 1 when it was locked, 0 when an earlier lock still holds
--
-- Atomic: it compares and sets, so that a second failure cannot prolong a lock. An earlier lock
-- serves two changes from then on, and is not undone with the first.
local locked = redis.call('HGET', KEYS[1], 'lockedUntil')
if locked and tonumber(locked) > tonumber(ARGV[2]) then
  redis.call('HDEL', KEYS[1], 'lockId')
  return 0
end
redis.call('HSET', KEYS[1], 'attempts', 0, 'expiresAt', ARGV[1], 'lockedUntil', ARGV[1], 'lockId', ARGV[3])
redis.call('PEXPIREAT', KEYS[1], ARGV[1])
return 1
