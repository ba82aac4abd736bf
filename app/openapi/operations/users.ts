import type { Operations } from '../operation.ts'

/** Administration of accounts, and what an account may do to itself under its own id. */
export const userOperations: Operations = {}
