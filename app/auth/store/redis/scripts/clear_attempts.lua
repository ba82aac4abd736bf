#!lua flags=allow-oom
-- Forgets a count of attempts and its lock.
--
-- KEYS  1 attempts of an e-mail, a known device or a user's codes
-- Reply the end of the lock (ms); 0 when there was none
--
-- Atomic: of several that clear a lock at once, one learns that it was there.
local locked = redis.call('HGET', KEYS[1], 'lockedUntil')
redis.call('DEL', KEYS[1])
return locked or 0
