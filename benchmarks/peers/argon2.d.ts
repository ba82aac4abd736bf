export function hashPassword(password: string): Promise<string>
export function verifyPassword(digest: string, password: string): Promise<boolean>
