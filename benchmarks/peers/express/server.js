import { createHash, randomUUID } from 'node:crypto'
import express from 'express'
import jwt from 'jsonwebtoken'
import pg from 'pg'
import { hashPassword, verifyPassword } from '../argon2.js'

/*
 | An Express service as many are written: jsonwebtoken, pg, a table of users and one of
 | sessions. It neither counts attempts nor revokes access tokens.
 */

const { PORT, DATABASE_URL, ACCESS_SECRET, REFRESH_SECRET } = process.env
const pool = new pg.Pool({ connectionString: DATABASE_URL })
const sha256 = (text) => createHash('sha256').update(text).digest('hex')

await pool.query(`
  CREATE TABLE IF NOT EXISTS users (id uuid PRIMARY KEY, email text UNIQUE, username text,
    password text, role text DEFAULT 'User', created_at timestamptz DEFAULT now());
  CREATE TABLE IF NOT EXISTS sessions (id uuid PRIMARY KEY, user_id uuid REFERENCES users,
    refresh_hash text, expires_at timestamptz)`)

const findOne = async (sql, values) => (await pool.query(sql, values)).rows[0]

function accessTokenFor({ id, email, role }) {
  return jwt.sign({ sub: id, email, role }, ACCESS_SECRET, { expiresIn: '15m' })
}

async function authenticate(request, response, next) {
  const [, token] = (request.headers.authorization ?? '').split(' ')
  try {
    request.caller = jwt.verify(token, ACCESS_SECRET, { algorithms: ['HS256'] })
    next()
  } catch {
    response.status(401).json({ message: 'Unauthorized' })
  }
}

const app = express()
app.use(express.json())

app.get('/health', (_, response) => response.json({ status: 'ok' }))

app.post('/auth/register', async (request, response) => {
  const { email, username, password } = request.body
  const id = randomUUID()
  const digest = await hashPassword(password)
  const sql = 'INSERT INTO users (id, email, username, password) VALUES ($1, $2, $3, $4)'
  await pool.query(sql, [id, email, username, digest])
  response.status(201).json({ id, email })
})

app.post('/auth/login', async (request, response) => {
  const { email, password } = request.body
  const user = await findOne('SELECT * FROM users WHERE email = $1', [email])
  if (!user || !(await verifyPassword(user.password, password))) {
    return response.status(401).json({ message: 'Invalid credentials' })
  }
  const { id, username, role } = user
  const sessionId = randomUUID()
  const claims = { sub: id, email, role, sessionId }
  const refreshToken = jwt.sign(claims, REFRESH_SECRET, { expiresIn: '7d' })
  const expiresAt = new Date(Date.now() + 604_800_000)
  const sql = 'INSERT INTO sessions VALUES ($1, $2, $3, $4)'
  await pool.query(sql, [sessionId, id, sha256(refreshToken), expiresAt])
  response.json({
    accessToken: accessTokenFor(user),
    refreshToken,
    expiresIn: 900,
    tokenType: 'Bearer',
    user: { id, email, username, role },
  })
})

app.post('/auth/refresh', async (request, response) => {
  const { refreshToken } = request.body
  try {
    const { sessionId } = jwt.verify(refreshToken, REFRESH_SECRET, { algorithms: ['HS256'] })
    const user = await findOne(
      `SELECT u.*, s.refresh_hash FROM sessions s JOIN users u ON u.id = s.user_id
       WHERE s.id = $1 AND s.expires_at > now()`,
      [sessionId]
    )
    if (user?.refresh_hash !== sha256(refreshToken)) throw new Error('unknown session')
    response.json({ accessToken: accessTokenFor(user), expiresIn: 900, tokenType: 'Bearer' })
  } catch {
    response.status(401).json({ message: 'Invalid refresh token' })
  }
})

app.get('/auth/profile', authenticate, async (request, response) => {
  const { password, ...user } = await findOne('SELECT * FROM users WHERE id = $1', [
    request.caller.sub,
  ])
  response.json(user)
})

app.listen(Number(PORT), '127.0.0.1')
