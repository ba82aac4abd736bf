export interface GithubUser {
  id: number
  login: string
  name: string | null
  avatar_url: string | null
}

export interface GithubEmail {
  email: string
  primary: boolean
  verified: boolean
}

export function claimsOf(user: GithubUser, emails: GithubEmail[]) {
  const primary = emails.find((each) => each.primary)
  return {
    subject: String(user.id),
    email: primary?.email ?? null,
    emailVerified: primary?.verified ?? false,
    name: user.name ?? user.login,
    picture: user.avatar_url,
    authenticatedAt: null,
  }
}
