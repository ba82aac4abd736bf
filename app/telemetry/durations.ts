import { Histogram } from './histogram.ts'

const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]

export const hashWait = new Histogram({
  name: 'gatehouse_hash_queue_wait_seconds',
  help: 'How long a password waited until its hash was computed.',
  bounds: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
})

/** The methods of the store of tokens and sessions. */
export const STORE_OPERATIONS = [
  'clearAttempts',
  'countSessions',
  'endSession',
  'endSessions',
  'findApiKey',
  'findClientAddress',
  'findSession',
  'isSessionAlive',
  'listSessions',
  'lockAttempts',
  'ping',
  'prune',
  'readConfiguration',
  'reauthenticateSession',
  'reserveAttempt',
  'returnAttempt',
  'revokeToken',
  'rotateRefresh',
  'scanSessions',
  'startSession',
  'startSharedSession',
  'tokenStatus',
  'touchSession',
  'unlockAttempts',
] as const

export const storeDurations = new Histogram({
  name: 'gatehouse_store_operation_duration_seconds',
  help: 'How long the store of tokens and sessions took, by operation.',
  bounds: BOUNDS,
  label: { name: 'operation', values: [...STORE_OPERATIONS] },
})
