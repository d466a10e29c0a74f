import TestSupport
import Testing

/// The shell on a terminal: a pseudo-terminal of Python's, which types and reads.
@Suite(.serialized) struct PromptTests {
  /// What the sessions are typed with.
  private static let driver = """
    import os, pty, select, sys, time, fcntl, termios, struct, signal
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM]); signal.alarm(120)
    pid, fd = pty.fork()
    if pid == 0:
        os.environ['TERM'] = 'xterm-256color'
        os.execv(sys.argv[1], [sys.argv[1], 'repl'])
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 30, 100, 0, 0))
    def read(end, seconds=20):
        text, limit = b'', time.time() + seconds
        while time.time() < limit and not text.endswith(end):
            if select.select([fd], [], [], 0.05)[0]:
                try: part = os.read(fd, 65536)
                except OSError: break
                if not part: break
                text += part
        return text.decode(errors='replace')
    def send(text): os.write(fd, text.encode())
    def line(text): send(text + '\\r'); return read(b'cc> ')
    def quit():
        send('\\x04'); read(b'never', 1)
        return os.waitpid(pid, 0)[1] >> 8
    start = time.time(); first = read(b'cc> '); first_prompt = time.time() - start
    """

  private func session(_ program: String, keys: String = "") throws -> [Substring] {
    let folder = try TemporaryFolder()
    try folder.write(Array(keys.utf8), "inputrc")
    try folder.write(Array((Self.driver + "\n" + program).utf8), "session.py")
    let command = try Command(
      ["python3", folder.path + "/session.py", Built.folder + "/constant-color", folder.path],
      environment: ["XDG_STATE_HOME": folder.path, "XDG_CONFIG_HOME": folder.path, "INPUTRC": folder.path + "/inputrc"])
    #expect(command.status == 0, "\(command.errors)")
    return command.lines
  }

  private static let picture = "a = gegl:checkerboard | gegl:crop width=64 height=48"

  @Test func itAnswersAndCompletes() throws {
    let lines = try session(
      """
      line('\(Self.picture)')
      print('did you mean' in line('b = gausian-blur a'))
      print('linear' in line('probe a 3 3'))
      send('b = a | gegl:median-bl'); time.sleep(0.2); send('\\t'); time.sleep(0.2); line('radius=3')
      print('b = gegl:median-blur a radius=3' in line('b'))
      send('b.neighborhood = '); time.sleep(0.2); read(b'never', 0.2); send('\\t\\t'); text = read(b'never', 0.5)
      print('circle' in text and 'square' in text); send('\\x15')
      print(quit())
      """)
    #expect(lines == ["True", "True", "True", "True", "0"])
  }

  @Test func controlCClearsTheLineOrStopsWhatRunsAndKeepsTheSession() throws {
    let lines = try session(
      """
      line('\(Self.picture)')
      send('nonsense that is not run\\x03'); read(b'cc> ')
      send('x = [\\r'); read(b'..> '); send('\\x03'); read(b'cc> ')
      line('big = gegl:checkerboard | gegl:crop width=4000 height=3000 | gegl:median-blur radius=30')
      send('stats big\\r'); time.sleep(1.5); start = time.time(); send('\\x03'); text = read(b'cc> ')
      print('stopped' in text, time.time() - start < 5)
      print('linear' in line('probe a 3 3'))
      print(quit())
      """)
    #expect(lines == ["True True", "True", "0"])
  }

  private static let slow = "big = gegl:checkerboard | gegl:crop width=4000 height=3000 | gegl:median-blur radius=100"

  @Test func controlCIsHeardAtOnceAndTheSecondEndsTheProgram() throws {
    let lines = try session(
      """
      line('\(Self.slow)')
      send('render big "' + sys.argv[2] + '/big.png"\\r'); time.sleep(1.5); start = time.time(); send('\\x03')
      print('stopping; Ctrl-C again' in read(b'program\\r\\n', 5), time.time() - start < 1)
      send('\\x03'); print(os.waitpid(pid, 0)[1] >> 8)
      print(sorted(os.listdir(sys.argv[2])))
      print('render big' in open(sys.argv[2] + '/constant-color/history').read())
      """)
    #expect(lines == ["True True", "130", "['constant-color', 'inputrc', 'session.py']", "True"])
  }

  @Test func aProcessThatDoesNotHearIsEndedAllTheSame() throws {
    let lines = try session(
      """
      line('\(Self.slow)')
      send('stats big\\r'); time.sleep(1); start = time.time(); os.kill(pid, signal.SIGTERM)
      print(os.waitpid(pid, 0)[1] >> 8, time.time() - start < 5)
      """)
    #expect(lines == ["143 True"])
  }

  @Test func controlCEndsACommandOfTheSystemAndNothingElse() throws {
    let lines = try session(
      """
      send('!sleep 30\\r'); time.sleep(1); start = time.time(); send('\\x03'); text = read(b'cc> ')
      print('stopped' in text, time.time() - start < 5)
      print('42' in line('6 * 7'))
      line('\(Self.picture)'); print('0.5000' in line('stats a'))
      print(quit())
      """)
    #expect(lines == ["True True", "True", "True", "0"])
  }

  @Test func keysAreSetByTheProgramsName() throws {
    let lines = try session(
      "send('\\x07'); time.sleep(0.3); print('42' in line('')); print(quit())",
      keys: "$if constant-color\n\"\\C-g\": \"6 * 7\"\n$endif\n$if bash\n\"\\C-g\": \"nonsense\"\n$endif\n")
    #expect(lines == ["True", "0"])
  }

  @Test func pastedLinesRunAndHistoryIsPrivate() throws {
    let lines = try session(
      """
      paste = ''.join('n%d = gegl:color | gegl:crop width=%d height=4\\n' % (i, i + 1) for i in range(200))
      send('\\x1b[200~' + paste + '\\x1b[201~'); read(b'never', 1); line('')
      print('does not hold' not in line('assert width(n199) == 200') )
      fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 20, 50, 0, 0)); os.kill(pid, signal.SIGWINCH)
      line('nodes'); line('pwd'); line('pwd')
      print(quit())
      history = sys.argv[2] + '/constant-color/history'
      print(oct(os.stat(history).st_mode & 0o777), open(history).read().split('\\n').count('pwd'))
      """)
    #expect(lines == ["True", "0", "0o600 1"])
  }

  @Test func theFirstPromptIsThereSoon() throws {
    let lines = try session("print(first_prompt < 2, 'cc>' in first, quit())")
    #expect(lines == ["True True 0"])
  }
}
