#!lua flags=allow-oom
-- Returns a reserved login attempt whose password was not evaluated.
--
-- KEYS  1 attempts of an e-mail, a known device or a user's codes
-- Reply the attempts that remain counted; 0 when there was none, or they are locked
--
-- Atomic: it compares and counts in one step, so that the count never falls below zero and
-- a lock is left as it is.
local row = redis.call('HMGET', KEYS[1], 'attempts', 'lockedUntil')
if row[2] or not row[1] or tonumber(row[1]) < 1 then return 0 end
return redis.call('HINCRBY', KEYS[1], 'attempts', -1)
