#!lua flags=allow-oom
-- Returns a reserved login attempt whose password was not evaluated.
--
-- KEYS  1 attempts of an e-mail, a known device or a user's codes
-- ARGV  1 id of the attempt
-- Reply 1, or 0 when the attempt was not counted or was returned before
--
-- Atomic: it compares and counts in one step, so that one attempt is returned once and
-- a lock is left as it is.
if redis.call('HDEL', KEYS[1], 'id:' .. ARGV[1]) == 0 then return 0 end
local row = redis.call('HMGET', KEYS[1], 'attempts', 'lockedUntil')
if not row[2] and tonumber(row[1]) > 0 then redis.call('HINCRBY', KEYS[1], 'attempts', -1) end
return 1
