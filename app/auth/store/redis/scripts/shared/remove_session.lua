-- removeSession(index, session, sessionId): deletes the hash of the session and its entry
-- in the index of the user. Returns when the session would have expired, or false if its
-- hash was gone before.
local function removeSession(index, session, sessionId)
  local expiresAt = redis.call('HGET', session, 'expiresAt')
  redis.call('ZREM', index, sessionId)
  redis.call('DEL', session)
  return expiresAt
end
