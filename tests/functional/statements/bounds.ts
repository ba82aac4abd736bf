import type { PathName } from './paths.ts'

/** How many requests a path takes, and what it sends on each backend. */
export interface Bounds {
  requests: number
  sqlite: number
  postgres: number
  /** Statements to Postgres and commands to Redis. */
  redis: [statements: number, commands: number]
}

/*
 | Current numbers: a change that sends less lowers its numbers here, one that sends more explains
 | why. SQLite has more statements, because there limits are counted in separate transactions.
 */
export const BOUNDS: Record<PathName, Bounds> = {
  'sign-in to an application by password': {
    requests: 3,
    sqlite: 22,
    postgres: 18,
    redis: [13, 13],
  },
  'sign-in to an application by session': { requests: 2, sqlite: 8, postgres: 5, redis: [4, 10] },
  'refresh by an application': { requests: 1, sqlite: 1, postgres: 1, redis: [1, 3] },
  'refresh by a public client': { requests: 1, sqlite: 3, postgres: 3, redis: [4, 3] },
  'client_credentials': { requests: 1, sqlite: 2, postgres: 2, redis: [0, 3] },
  'client_credentials without a session': { requests: 1, sqlite: 6, postgres: 6, redis: [5, 4] },
  'userinfo': { requests: 1, sqlite: 1, postgres: 1, redis: [0, 1] },
  'introspection': { requests: 1, sqlite: 2, postgres: 2, redis: [0, 2] },
  'profile': { requests: 1, sqlite: 1, postgres: 1, redis: [0, 1] },
  'profile by API key': { requests: 1, sqlite: 1, postgres: 1, redis: [1, 0] },
  'login': { requests: 1, sqlite: 17, postgres: 13, redis: [9, 7] },
  'refresh': { requests: 1, sqlite: 2, postgres: 2, redis: [0, 2] },
  'page of the sign-in': { requests: 1, sqlite: 1, postgres: 1, redis: [1, 0] },
  'page of the account': { requests: 1, sqlite: 3, postgres: 2, redis: [1, 2] },
  'page of users found': { requests: 1, sqlite: 6, postgres: 5, redis: [4, 2] },
}
