#!lua flags=allow-oom
-- Removes the expired sessions of a user, and index entries whose session hash is gone.
--
-- KEYS  1 index of the user's sessions
-- ARGV  1 prefix of the user's session hashes, 2 now (ms)
-- Reply how many sessions were removed
--
-- Atomic: a session that starts meanwhile is either not looked at or complete.
-- include: remove_session
local removed = 0
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local expiresAt = redis.call('HGET', ARGV[1] .. id, 'expiresAt')
  if not expiresAt or tonumber(expiresAt) <= tonumber(ARGV[2]) then
    removeSession(KEYS[1], ARGV[1] .. id, id)
    removed = removed + 1
  end
end
return removed
