import { resolve } from 'node:path'

/** npm runs commands in the folder of the product; operators name files from their own folder. */
export function operatorPath(file: string) {
  return resolve(process.env.INIT_CWD ?? process.cwd(), file)
}
