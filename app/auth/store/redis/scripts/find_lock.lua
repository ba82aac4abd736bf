#!lua flags=allow-oom
-- Reads the lock of a count of attempts.
--
-- KEYS  1 attempts of an e-mail, a known device or a user's codes
-- Reply the end of the lock (ms); 0 without one
return redis.call('HGET', KEYS[1], 'lockedUntil') or 0
