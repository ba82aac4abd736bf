import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** The open transaction of a change, which every write that belongs to the change joins. */
export type Transaction = TransactionClientContract
