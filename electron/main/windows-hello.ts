import { join } from 'node:path'
import type { SystemAuthentication } from '../app/app-deps.ts'
import { runTool } from './run-tool.ts'

/** The first start of PowerShell after a boot is slow. */
const probeMs = 20_000
const askMs = 300_000

/**
 * A script for Windows PowerShell 5.1, which every Windows has and which can call the Windows Runtime (PowerShell 7 can't). It waits for
 * one call of UserConsentVerifier and prints the name of the answer. It must have no double quotes, because it is an argument of a command
 * line.
 */
const script = (resultType: string, call: string): string =>
  [
    "$ErrorActionPreference = 'Stop'",
    'Add-Type -AssemblyName System.Runtime.WindowsRuntime',
    '$verifier = [Windows.Security.Credentials.UI.UserConsentVerifier, Windows.Security.Credentials.UI, ContentType = WindowsRuntime]',
    `$result = [Windows.Security.Credentials.UI.${resultType}, Windows.Security.Credentials.UI, ContentType = WindowsRuntime]`,
    "$asTask = [System.WindowsRuntimeSystemExtensions].GetMethods() | Where-Object { $_.Name -eq 'AsTask' -and $_.IsGenericMethod -and $_.GetParameters().Count -eq 1 -and $_.GetParameters()[0].ParameterType.Name -like 'IAsyncOperation?1' } | Select-Object -First 1",
    `$task = $asTask.MakeGenericMethod($result).Invoke($null, @($verifier::${call}))`,
    '[Console]::Out.Write($task.GetAwaiter().GetResult().ToString())',
  ].join('; ')

const calls = {
  availability: { resultType: 'UserConsentVerifierAvailability', call: 'CheckAvailabilityAsync()', timeoutMs: probeMs },
  verification: { resultType: 'UserConsentVerificationResult', call: "RequestVerificationAsync('Unlock Holdfast')", timeoutMs: askMs },
}

/** Returns the name of Windows' answer in the enumeration `resultType`; empty if Windows could not be asked. */
export async function askVerifier(systemRoot: string, powershell: string, which: keyof typeof calls): Promise<string> {
  const { resultType, call, timeoutMs } = calls[which]
  const args = ['-NoProfile', '-NonInteractive', '-Command', script(resultType, call)]
  const { code, output } = await runTool(powershell, args, { SystemRoot: systemRoot }, timeoutMs)
  return code === 0 ? output.trim() : ''
}

export const powershellOf = (systemRoot: string): string => join(systemRoot, 'System32/WindowsPowerShell/v1.0/powershell.exe')

/** The user was asked, and failed or cancelled. */
const refusals = ['Canceled', 'RetriesExhausted']

/** Asks through Windows Hello: a face, a fingerprint, or the PIN of Windows. `systemRoot` is where Windows is installed. */
export function windowsHello(systemRoot: string, powershell = powershellOf(systemRoot)): SystemAuthentication {
  return {
    kind: 'windows-hello',
    isReliable: false,
    isAvailable: async () => (await askVerifier(systemRoot, powershell, 'availability')) === 'Available',
    async confirm() {
      const answer = await askVerifier(systemRoot, powershell, 'verification')
      if (answer === 'Verified') return 'confirmed'
      return refusals.includes(answer) ? 'refused' : 'unavailable'
    },
  }
}
