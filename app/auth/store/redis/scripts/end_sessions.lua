#!lua flags=allow-oom
-- Ends the sessions of a user: all, all but one, or those that started by one method.
--
-- KEYS  1 index of the user's sessions
-- ARGV  1 prefix of the user's session hashes, 2 id of the session to keep, or empty,
--       3 the method, or empty
-- Reply the sessions that ended: id, expiresAt and client of each, one after the other
--
-- Atomic: a login that happens at the same time starts its session before, and then it
-- ends, or after.
-- include: remove_session
local ended = {}
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local isMeant = ARGV[3] == '' or redis.call('HGET', ARGV[1] .. id, 'method') == ARGV[3]
  if id ~= ARGV[2] and isMeant then
    removeSession(KEYS[1], ARGV[1] .. id, id, ended)
  end
end
return ended
