import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export type Transaction = TransactionClientContract
