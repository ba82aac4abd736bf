#!lua
-- Notes the last activity of a session.
--
-- KEYS  1 index of the user's sessions, 2 session hash
-- ARGV  1 session id, 2 time (ms)
-- Reply 1 when it was noted, 0 when the session is not alive or was active later
--
-- Atomic: HSET after a check from outside could create the hash of an ended session again,
-- and could set the time back.
-- include: is_alive
if not isAlive(KEYS[1], KEYS[2], ARGV[1]) then return 0 end
if tonumber(redis.call('HGET', KEYS[2], 'lastActivityAt')) >= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[2], 'lastActivityAt', ARGV[2])
return 1
