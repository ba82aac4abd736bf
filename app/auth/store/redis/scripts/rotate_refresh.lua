#!lua
-- Replaces the refresh token of a session.
--
-- KEYS  1 index of the user's sessions, 2 session hash
-- ARGV  1 session id, 2 hash of the current token, 3 hash of the next token, 4 time (ms)
-- Reply 1 for the one caller that replaced it, 0 when the session is not alive or accepts
--       another token
--
-- Atomic: it compares and sets. Of two requests with the same refresh token one succeeds,
-- which is what makes the reuse of a stolen token visible.
-- include: is_alive
if not isAlive(KEYS[1], KEYS[2], ARGV[1]) then return 0 end
if redis.call('HGET', KEYS[2], 'refreshHash') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[2], 'refreshHash', ARGV[3], 'previousRefreshHash', ARGV[2], 'rotatedAt', ARGV[4])
return 1
