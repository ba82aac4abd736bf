import { SESSION_ID } from '../examples.ts'
import { listOf, record, type Schema } from '../schema.ts'

export const text: Schema = { type: 'string' }
/** The content of a file. */
export const binary: Schema = { type: 'string', format: 'binary' }
export const textOrNull: Schema = { type: 'string', nullable: true }
export const yesNo: Schema = { type: 'boolean' }
export const count: Schema = { type: 'integer', minimum: 0 }
export const instant: Schema = { type: 'string', format: 'date-time' }
export const instantOrNull: Schema = { ...instant, nullable: true }
export const uuid: Schema = { type: 'string', format: 'uuid' }
export const sessionId: Schema = { ...uuid, example: SESSION_ID }

/** Describes a body with the exact message. */
export function message(sentence: string): Schema {
  return record<{ message: string }>({ message: { type: 'string', example: sentence } })
}

/** Version 1 has numbered pages. */
export function pageOf(item: Schema): Schema {
  const meta = record({ total: count, page: { ...count, minimum: 1 }, limit: count })
  return record({ data: listOf(item), meta })
}

/** The header of a list that is read by cursor. */
export const nextPage = { Link: 'The next page, `<…>; rel="next"`, where more follow.' }
