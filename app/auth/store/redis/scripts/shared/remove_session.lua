-- removeSession(index, session, sessionId): deletes the hash of the session and its entry in the
-- index of the user.
local function removeSession(index, session, sessionId)
  redis.call('ZREM', index, sessionId)
  redis.call('DEL', session)
end
