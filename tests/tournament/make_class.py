"""make_class: a class as a learning platform hands it out, with every fault that students make.

usage: make_class.py PLUM GAME FOLDER        GAME: reversi (20 hand-ins) or meichu (7)

Writes FOLDER/in (the hand-ins), FOLDER/list.csv (the participants) and FOLDER/wanted.json: for each
hand-in the team that it is, and what must be noted about it.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

DEADLINE = "2021-05-02 23:59"


def pdf(pages):
    """A PDF with empty pages, without the table of its objects: readers then look for them."""
    kids = " ".join("%d 0 R" % (3 + i) for i in range(pages))
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count %d/Kids[%s]>>" % (pages, kids)]
    objects += ["<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"] * pages
    text = "".join("%d 0 obj%sendobj\n" % (i + 1, text) for i, text in enumerate(objects))
    return ("%PDF-1.4\n" + text + "trailer<</Root 1 0 R>>\n").encode()


def docx(pages):
    with tempfile.TemporaryFile() as file:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("docProps/app.xml", "<Properties><Pages>%d</Pages></Properties>" % pages)
        file.seek(0)
        return file.read()


class OddName(zipfile.ZipInfo):
    """A member whose name is in an encoding of which the zip says nothing."""

    def __init__(self, name, encoding):
        super().__init__(name)
        self.encoding = encoding

    def _encodeFilenameFlags(self):
        return self.filename.encode(self.encoding), 0


def zip_bytes(files, encoding=None):
    """With an encoding, names are written in it and nothing says so, as Windows does."""
    with tempfile.TemporaryFile() as file:
        with zipfile.ZipFile(file, "w") as archive:
            for name, text in files.items():
                archive.writestr(OddName(name, encoding) if encoding else name, text)
        file.seek(0)
        return file.read()


class Class:
    """Hand-ins in a folder, and what is known about them."""

    def __init__(self, plum, game, folder):
        self.plum = plum
        self.game = game
        self.folder = folder
        self.handed_in = os.path.join(folder, "in")
        self.wanted = {}
        self.rows = []
        os.makedirs(self.handed_in)

    def kit(self, language, team):
        """The files of a student kit, by name."""
        scratch = tempfile.mkdtemp()
        try:
            subprocess.run([self.plum, "new", self.game, language, scratch, "--team", str(team)],
                           check=True, stdout=subprocess.DEVNULL)
            files = {}
            for name in os.listdir(scratch):
                if not name.endswith(".md"):
                    with open(os.path.join(scratch, name), "rb") as file:
                        files[name] = file.read()
            return files
        finally:
            shutil.rmtree(scratch)

    def put(self, name, content):
        path = os.path.join(self.handed_in, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)

    def student(self, number, name, team="", time="1 May 2021, 10:00 AM"):
        """Student 0856NNN with the platform's number 1000 + NNN. Returns the platform's prefix."""
        self.rows.append(["Participant %d" % (1000 + number), name, "0856%03d" % number, str(team), time])
        return "%s_%d_assignsubmission_file_" % (name, 1000 + number)

    def want(self, submission, team, **facts):
        self.wanted[submission] = dict(facts, team=str(team))

    def finish(self):
        with open(os.path.join(self.folder, "list.csv"), "w", encoding="utf-8-sig") as file:
            file.write("Identifier,Full name,ID number,Group,Last modified (submission)\r\n")
            for row in self.rows:
                file.write(",".join('"%s"' % cell for cell in row) + "\r\n")
        with open(os.path.join(self.folder, "wanted.json"), "w", encoding="utf-8") as file:
            json.dump(self.wanted, file, ensure_ascii=False, indent=1)


def inline(files, client):
    """Client and agent in one Python source, without an import of the client."""
    agent = files["Sample.py"].decode()
    alias = "import sys as _sys\nSTcpClient = _sys.modules[__name__]\n"
    source = files[client + ".py"].decode().replace("import FileClient", "use FileClient")
    return (source + agent.replace("import STcpClient\n", alias)).encode()


def with_step(files, body):
    """The same Python agent with lines before its own choice of a move."""
    first = "def GetStep(board, is_black):\n%s    return OwnStep(board, is_black)\n\n\n" % body
    agent = files["Sample.py"].decode().replace("def GetStep(", first + "def OwnStep(")
    return {**files, "Sample.py": agent.encode()}


def renamed(files, old, new):
    return {new if name == old else name: text for name, text in files.items()}


def inside(folder, files):
    return {folder + "/" + name: text for name, text in files.items()}


def make_teams(course):
    """Hop and Reversi: a number for each team."""
    report = {"report.pdf": pdf(3)}
    fine = {"report_pages": 3, "wrong_name": False, "missing_report": False}

    prefix = course.student(1, "王小明", "Team 1")
    course.student(31, "林二", "Team 1", "-")
    course.put(prefix + "Team_1.zip", zip_bytes({**course.kit("python", 1), **report}))
    course.want(prefix + "Team_1.zip", 1, state="ready", **fine)

    prefix = course.student(2, "Bo Li")  # a folder, and one zip in it
    course.put(prefix + "/Team_2.zip", zip_bytes({**course.kit("cpp", 2), **report}))
    course.want(prefix, 2, state="built", **fine)

    prefix = course.student(3, "Cy")  # file by file
    kit = course.kit("python", 3)
    for name, text in {**renamed(kit, "Sample.py", "Team_3.py"), **report}.items():
        course.put(prefix + name, text)
    course.want(prefix + "Team_3.py", 3, state="ready", **fine)

    prefix = course.student(4, "Di")  # a whole project of Visual Studio, in UTF-16
    kit = course.kit("cpp", 4)
    source = kit["Sample.cpp"].decode().replace("\n", "\r\n").encode("utf-16")
    project = {"P/P.sln": "x", "P/P/P.vcxproj": "x", "P/P/Team_4.cpp": source,
               "P/P/STcpClient.h": kit["STcpClient.h"], "P/Debug/P.exe": b"MZ", "P/Debug/P.obj": b"x",
               "P/.vs/P/v16/.suo": b"x", "P/report.pdf": pdf(3)}
    course.put(prefix + "P.zip", zip_bytes(project))
    course.want(prefix + "P.zip", 4, state="built", remark="Visual Studio", **fine)

    prefix = course.student(5, "Ed")  # C, in a zip named after the student: idTeam counts
    course.put(prefix + "0856005.zip", zip_bytes({**course.kit("c", 5), **report}))
    course.want(prefix + "0856005.zip", 5, state="built", **fine)

    prefix = course.student(6, "Fu")  # idTeam was never set
    kit = {name: text.replace(b"idTeam = 6", b"idTeam = -1")
           for name, text in course.kit("python", 6).items()}
    course.put(prefix + "Team_6.zip", zip_bytes(kit))
    course.want(prefix + "Team_6.zip", 6, missing_report=True, remark="idTeam is -1", id_team=-1)

    prefix = course.student(7, "Gu")  # the number of another team
    course.put(prefix + "Team_7.zip", zip_bytes({**course.kit("python", 1), **report}))
    course.want(prefix + "Team_7.zip", 7, remark="its program uses the number 1: that is another team", id_team=1)

    prefix = course.student(8, "Ho")  # several programs
    kit = course.kit("python", 8)
    others = {"test.py": "if __name__ == '__main__':\n    print('a test')\n", "zzz/Sample.py": kit["Sample.py"]}
    course.put(prefix + "Team_8.zip", zip_bytes({**kit, **others, **report}))
    course.want(prefix + "Team_8.zip", 8, program="Sample.py", remark="could also be: test.py, zzz/Sample.py")

    prefix = course.student(9, "Ian")
    course.put(prefix + "Team_9.cpp", b"int main( {")
    course.want(prefix + "Team_9.cpp", 9, state="does not compile")

    prefix = course.student(10, "Jo")
    course.put(prefix + "Team_10.rar", b"Rar!")
    course.want(prefix + "Team_10.rar", 10, state="no program", wrong_name=True, remark="was not opened")

    prefix = course.student(11, "Kai")  # a zip in a zip in a folder
    inner = zip_bytes({**course.kit("python", 11), **report})
    course.put(prefix + "/hand-in.zip", zip_bytes({"Team_11.zip": inner}))
    course.want(prefix, 11, state="ready", **fine)

    prefix = course.student(12, "Lu")
    course.put(prefix + "Team_12.zip", b"PK but broken")
    course.want(prefix + "Team_12.zip", 12, state="no program", remark="not a zip that can be read")

    prefix = course.student(13, "Mo")
    course.put(prefix + "Team_13.zip", zip_bytes({"Team_13.exe": b"MZ" + bytes(62), **report}))
    course.want(prefix + "Team_13.zip", 13, state="no program", remark="a Windows program")

    prefix = course.student(14, "Ng")  # a long report, and late at its first move
    kit = with_step(course.kit("python", 14), "    if not late:\n        late.append(1)\n        time.sleep(3)\n")
    kit["Sample.py"] = b"import time\nlate = []\n" + kit["Sample.py"]
    course.put(prefix + "Team_14.zip", zip_bytes({**kit, "r.docx": docx(7)}))
    course.want(prefix + "Team_14.zip", 14, report_pages=7, remark="the report has 7 pages")

    prefix = course.student(15, "Oz")  # names in Big-5
    course.put(prefix + "Team_15.zip",
               zip_bytes(inside("專題", {**course.kit("python", 15), "報告.pdf": pdf(3)}), "big5"))
    course.want(prefix + "Team_15.zip", 15, program="專題/Sample.py", **fine)

    prefix = course.student(16, "Pi")
    kit = with_step(course.kit("python", 16), "    return (0, 0)\n")  # never legal
    course.put(prefix + "final.zip", zip_bytes(renamed(kit, "Sample.py", "final.py")))
    course.want(prefix + "final.zip", 16, wrong_name=True, missing_report=True)

    prefix = course.student(17, "Qi", "Team 17")  # only the list knows the team
    kit = {name: text.replace(b"idTeam = 9", b"idTeam = -1")
           for name, text in course.kit("python", 9).items()}
    course.put(prefix + "hw.zip", zip_bytes({**kit, **report}))
    course.want(prefix + "hw.zip", 17, id_team=-1)

    prefix = course.student(18, "Ro")  # all in one source, over TCP
    course.put(prefix + "Team_18.py", inline(course.kit("python", 18), "STcpClient"))
    course.want(prefix + "Team_18.py", 18, player="tcp:18:")

    prefix = course.student(19, "Su")  # all in one source, through files
    kit = course.kit("python", 19)
    with open(os.path.join(os.path.dirname(__file__), "../../clients/python/FileClient.py"), "rb") as file:
        kit["FileClient.py"] = file.read().replace(b"idTeam = -1", b"idTeam = 19")
    course.put(prefix + "Team_19.py", inline(kit, "FileClient"))
    course.want(prefix + "Team_19.py", 19, player="file:19:")

    prefix = course.student(20, "Ti", time="5 May 2021, 1:00 AM")  # late, and it crashes
    kit = course.kit("python", 20)
    kit["Sample.py"] = b"import STcpClient\nimport numpy_of_nowhere\n"
    course.put(prefix + "Team_20.zip", zip_bytes({**kit, **report}))
    course.want(prefix + "Team_20.zip", 20, days_late=3, remark="3 days late")

    course.student(32, "Una", "Team 99", "-")  # handed in nothing
    course.put("notes of the assistant.txt", b"x")


def make_students(course):
    """MeiChu: STUDENTID.zip with STUDENTID.py and STUDENTID.pdf."""

    def files(number, program=None, report=None):
        name = "0856%03d" % number
        kit = course.kit("python", name)
        return {program or name + ".py": kit[name + ".py"], (report or name) + ".pdf": pdf(4)}

    prefix = course.student(1, "王小明")
    course.put(prefix + "0856001.zip", zip_bytes(files(1)))
    course.want(prefix + "0856001.zip", "0856001", state="ready", wrong_name=False, report_pages=4)

    prefix = course.student(2, "Bo")  # the program has another student's number
    course.put(prefix + "0856002.zip", zip_bytes(files(2, "0856001.py")))
    course.want(prefix + "0856002.zip", "0856002", wrong_name=True)

    for number, name in ((3, "Cy"), (4, "Di")):  # two with the same names, and no number in them
        prefix = course.student(number, name)
        course.put(prefix + "/hw.zip", zip_bytes(files(number, "main.py", "report")))
        course.want(prefix, "0856%03d" % number, wrong_name=True)

    prefix = course.student(5, "Ed")  # C++, in a folder inside the zip
    kit = course.kit("cpp", "0856005")
    course.put(prefix + "0856005.zip", zip_bytes(inside("0856005", {**kit, "0856005.pdf": pdf(6)})))
    course.want(prefix + "0856005.zip", "0856005", state="built", remark="the report has 6 pages")

    prefix = course.student(6, "Fu", time="3 May 2021, 1:00 AM")
    course.put(prefix + "0856006.py", files(6)["0856006.py"])
    course.want(prefix + "0856006.py", "0856006", missing_report=True, days_late=1)

    prefix = course.student(7, "Gu")
    course.put(prefix + "0856007.zip", zip_bytes({"0856007.py": "raise SystemExit(1)", "0856007.pdf": pdf(1)}))
    course.want(prefix + "0856007.zip", "0856007", state="ready")
    course.student(8, "Ho", time="-")


def make(plum, game, folder):
    course = Class(os.path.abspath(plum), game, folder)
    (make_students if game == "meichu" else make_teams)(course)
    course.finish()


if __name__ == "__main__":
    make(*sys.argv[1:])
