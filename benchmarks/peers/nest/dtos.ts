import { IsEmail, IsString, MinLength } from 'class-validator'

export class RegisterDto {
  @IsEmail()
  email!: string

  @IsString()
  username!: string

  @IsString()
  @MinLength(8)
  password!: string
}

export class LoginDto {
  @IsEmail()
  email!: string

  @IsString()
  password!: string
}

export class RefreshDto {
  @IsString()
  refreshToken!: string
}
