#!lua flags=allow-oom
-- Locks a count of attempts: no login attempt is reserved until the lock ends.
--
-- KEYS  1 attempts of an e-mail, a known device or a user's codes
-- ARGV  1 end of the lock (ms), 2 now (ms)
-- Reply 1 when it was locked, 0 when an earlier lock still holds
--
-- Atomic: it compares and sets, so that a second failure cannot prolong a lock.
local locked = redis.call('HGET', KEYS[1], 'lockedUntil')
if locked and tonumber(locked) > tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], 'attempts', 0, 'expiresAt', ARGV[1], 'lockedUntil', ARGV[1])
redis.call('PEXPIREAT', KEYS[1], ARGV[1])
return 1
