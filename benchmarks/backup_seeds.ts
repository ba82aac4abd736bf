/* The data with which `npm run bench:backup` fills a database, the same for both databases. */

/** Every hundredth user has a picture of 8 KB; each has a handle, a device and a password. */
const PICTURES = 'n % 100 = 0'

const HASH = `'$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQxMjM0NTY3OA$'`

export interface Dialect {
  id: string
  numbers: (users: number) => string
  padded: string
  random: string
  picture: string
}

export const SQLITE: Dialect = {
  id: `'01900000-0000-7000-8000-' || printf('%012x', n)`,
  numbers: (users) =>
    `(WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${users}) SELECT n FROM numbers)`,
  padded: `printf('%022d', n)`,
  random: 'lower(hex(randomblob(21)))',
  picture: 'randomblob(8192)',
}

export const POSTGRES: Dialect = {
  id: `('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`,
  numbers: (users) => `generate_series(1, ${users}) AS n`,
  padded: `lpad(n::text, 22, '0')`,
  random: 'md5(random()::text)',
  picture: `(SELECT decode(string_agg(md5(random()::text || part || n), ''), 'hex') FROM generate_series(1, 512) AS part)`,
}

export function seedsOf({ id, padded, random, picture, ...dialect }: Dialect, users: number) {
  const numbers = dialect.numbers(users)
  return [
    `INSERT INTO users (id, email, username, handle, role, password, created_at, updated_at, password_changed_at)
     SELECT ${id}, 'person' || n || '@example.org', 'person ' || n, 'person' || n, 'User',
       ${HASH} || ${random}, 1700000000000 + n, 1700000000000 + n, 1700000000000 + n FROM ${numbers}`,
    `INSERT INTO handles (hash, user_id) SELECT ${padded}, ${id} FROM ${numbers}`,
    `INSERT INTO known_devices (user_id, fingerprint, first_seen_at)
     SELECT ${id}, ${random}, 1700000000000 FROM ${numbers}`,
    `INSERT INTO avatars (name, user_id, image, created_at)
     SELECT ${padded}, ${id}, ${picture}, 1700000000000 FROM ${numbers} WHERE ${PICTURES}`,
  ]
}

/** Returns the number of users, handles, devices and pictures together. */
export function rowsOf(users: number) {
  return users * 3 + Math.floor(users / 100)
}
