-- removeSession(index, session, sessionId, ended): deletes the hash of the session and its
-- entry in the index of the user. Adds to `ended` its id, when it would have expired and the
-- client that it was with (empty for none), unless its hash was gone before.
local function removeSession(index, session, sessionId, ended)
  local fields = redis.call('HMGET', session, 'expiresAt', 'clientId')
  redis.call('ZREM', index, sessionId)
  redis.call('DEL', session)
  if not fields[1] then return end
  ended[#ended + 1] = sessionId
  ended[#ended + 1] = fields[1]
  ended[#ended + 1] = fields[2] or ''
end
