#!lua flags=allow-oom
-- Ends the sessions of a user: all, all but one, or those that one method started or proved.
--
-- KEYS  1 index of the user's sessions
-- ARGV  1 prefix of the user's session hashes, 2 id of the session to keep, or empty,
--       3 the method, or empty, 4... references (amr) that count as the method
-- Reply the sessions that ended: id, expiresAt and client of each, one after the other
--
-- Atomic: a login that happens at the same time starts its session before, and then it
-- ends, or after.
-- include: remove_session
local ended = {}
local function isMeant(session)
  if ARGV[3] == '' or redis.call('HGET', session, 'method') == ARGV[3] then return true end
  local amr = ' ' .. (redis.call('HGET', session, 'amr') or '') .. ' '
  for at = 4, #ARGV do
    if amr:find(' ' .. ARGV[at] .. ' ', 1, true) then return true end
  end
  return false
end
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  if id ~= ARGV[2] and isMeant(ARGV[1] .. id) then
    removeSession(KEYS[1], ARGV[1] .. id, id, ended)
  end
end
return ended
