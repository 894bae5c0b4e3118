{ ordinary: what a program in Pascal does, and a sandbox need not refuse. }
program ordinary;
uses cthreads, classes, sysutils;
begin
  randomize;
  sleep(1);
  if not DirectoryExists('/no/such/folder') then writeln('done');
end.
