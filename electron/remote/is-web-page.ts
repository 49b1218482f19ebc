/** Whether a body is a web page, or other markup. All bodies of a service are JSON, so something in between sent it. */
export const isWebPage = (bytes: Uint8Array): boolean => new TextDecoder().decode(bytes.subarray(0, 200)).trimStart().startsWith('<')
