/** How long to rest after a round. `dueIn`: milliseconds until the next one; null: until it is requested. */
export interface Rest {
  dueIn: number | null
  /** How often to probe, in milliseconds, whether the service answers again; the next round then begins at once. Null: never. */
  probeMs: number | null
}

export interface Until {
  /** Whether nothing more may be sent. */
  isHalted(): boolean
  /** Whether the outcome of the round no longer matters either. */
  isStopped(): boolean
}

export interface SchedulerDeps {
  /** Plays one round. Never rejects. */
  play(until: Until): Promise<void>
  rest(): Rest
  /** Whether the service answers again. */
  probe(): Promise<boolean>
  /** Whether the user has paused sync: only rounds that the user requests are played. */
  isHeld(): boolean
  /** Called when rounds begin and end. */
  announce(): void
}

/** Decides when rounds are played, never two at once: a request during a round leads to one more. */
export interface Scheduler {
  start(): void
  /** Resolves when the round under way has ended; none begins afterwards. */
  stop(): Promise<void>
  /** Plays rounds until none is requested any more. `isAsked`: the user requested it, so it is played while paused too. */
  request(isAsked: boolean): Promise<void>
  /** Starts the rest again: its length has changed. */
  rearm(): void
  isRunning(): boolean
}

interface Running {
  is: 'running'
  isWanted: boolean
  isAsked: boolean
}
type Activity = { is: 'stopped' } | { is: 'resting'; timer: ReturnType<typeof setTimeout> | null } | Running

export function createScheduler({ play, rest, probe, isHeld, announce }: SchedulerDeps): Scheduler {
  let activity: Activity = { is: 'stopped' }
  const rounds = createRounds()

  async function playWanted(running: Running): Promise<void> {
    const isStopped = (): boolean => activity !== running
    const isHalted = (): boolean => isStopped() || (isHeld() && !running.isAsked)
    while (running.isWanted && !isHalted()) {
      running.isWanted = false
      announce()
      await play({ isHalted, isStopped })
    }
    if (!isStopped()) rearm()
    announce()
  }

  function request(isAsked: boolean): Promise<void> {
    if (activity.is === 'running') {
      activity.isWanted = true
      activity.isAsked ||= isAsked
    } else if (activity.is === 'resting' && (isAsked || !isHeld())) {
      clearTimeout(activity.timer ?? undefined)
      const running: Running = { is: 'running', isWanted: true, isAsked }
      activity = running
      rounds.begin(() => playWanted(running))
    }
    return rounds.ended()
  }

  function rearm(): void {
    if (activity.is === 'resting') clearTimeout(activity.timer ?? undefined)
    activity = { is: 'resting', timer: startTimer(rest(), () => request(false), playWhenBack) }
  }

  async function playWhenBack(): Promise<void> {
    const resting = activity
    const isBack = await probe()
    if (activity !== resting) return
    if (isBack) void request(false)
    else rearm()
  }

  return {
    start() {
      if (activity.is === 'stopped') activity = { is: 'resting', timer: null }
      void request(false)
    },
    async stop() {
      if (activity.is === 'resting') clearTimeout(activity.timer ?? undefined)
      activity = { is: 'stopped' }
      await rounds.ended()
    },
    request,
    rearm() {
      if (activity.is === 'resting') rearm()
    },
    isRunning: () => activity.is === 'running',
  }
}

/** Starts the timer of a rest: it plays a round when that is due, or probes the service earlier. Null: nothing is due. */
function startTimer({ dueIn, probeMs }: Rest, play: () => Promise<void>, probe: () => Promise<void>): ReturnType<typeof setTimeout> | null {
  if (dueIn === null) return null
  const probes = probeMs !== null && dueIn > probeMs
  const timer = setTimeout(() => void (probes ? probe() : play()), probes ? probeMs : dueIn)
  timer.unref()
  return timer
}

/** The rounds that have begun and not ended. After a stop, new rounds wait until the old ones have ended. */
function createRounds() {
  let playing: Promise<void> | null = null
  return {
    begin(play: () => Promise<void>): void {
      const rounds = playing === null ? play() : playing.then(play)
      playing = rounds
      void rounds.finally(() => {
        if (playing === rounds) playing = null
      })
    },
    ended: (): Promise<void> => playing ?? Promise.resolve(),
  }
}
