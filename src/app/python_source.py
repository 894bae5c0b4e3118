# Parses a source in Python, with all that it imports from its own folder: python_source.py FILE MEBIBYTES
#
# Prints "error TEXT" for each file that cannot be parsed, "missing NAME" for each module, "failed NAME" with the name of
# an exception. The limit is set here as well, because a sandbox that is off has none.
import ast, importlib.util, os, re, resource, sys
MOST = 4 << 20


def say(*words):
    os.write(1, (' '.join(words) + '\n').encode('utf-8', 'replace'))


# The encoding that its first lines declare, or None.
def declared(data):
    for line in data.split(b'\n', 2)[:2]:
        found = re.match(rb'[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)', line)
        if found:
            return found.group(1).decode()


def wrong_bytes(data):
    encoding = declared(data)
    try:
        if b'\0' in data:
            return 0, 'it contains null bytes, as UTF-16 does: save it as UTF-8'
        data.decode(encoding or 'utf-8')
    except UnicodeDecodeError as wrong:
        line = data.count(b'\n', 0, wrong.start) + 1
        if encoding:
            return line, 'it is not in the encoding that it declares, ' + encoding
        return line, ('it is not UTF-8, and no encoding is declared: save it as UTF-8, or '
                      'declare it in the first line, as in # -*- coding: big5 -*-')
    except LookupError:
        return 1, 'it declares an encoding that is not known, ' + encoding
    return None


def parse(path):
    with open(path, 'rb') as file:
        data = file.read(MOST + 1)
    if len(data) > MOST:
        say('failed', 'more than 4 MiB')
        return None
    problem = wrong_bytes(data)  # the parser overlooks some in comments, a start does not
    try:
        tree = None if problem else ast.parse(data, path)
        tree and compile(tree, path, 'exec', dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        problem = getattr(error, 'lineno', 0), getattr(error, 'msg', None) or str(error)
    if problem:
        place = ', line %d: ' % problem[0] if problem[0] else ': '
        say('error', path + place + problem[1])
    return None if problem else tree


def names(path):
    tree = parse(path)
    for node in tree.body if tree else ():
        if isinstance(node, ast.Import):
            yield from (alias.name.split('.')[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module.split('.')[0]


def is_installed(name):
    try:
        return importlib.util.find_spec(name) is not None
    except ValueError:  # a module without a specification, such as __main__
        return True


def check(path, own):
    files, seen = [path], set()
    while files:
        file = files.pop()
        for name in names(file) if os.path.isfile(file) else ():
            if name in own and name not in seen:
                files.append(name + '.py')
            elif name not in seen and not is_installed(name):
                say('missing', name)
            seen.add(name)


limit = int(sys.argv[2]) << 20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    check(sys.argv[1], {entry.split('.')[0] for entry in os.listdir('.')})
except (MemoryError, RecursionError) as error:
    say('failed', type(error).__name__)
except Exception:  # it cannot be read
    pass
os._exit(0)  # without freeing a large tree
