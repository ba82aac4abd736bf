import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** The transaction of a change. Every write that belongs to the change joins it. */
export type Transaction = TransactionClientContract
